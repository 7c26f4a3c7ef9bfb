// The settings of a service, as messages name them.

/** The names of the settings that hold its address, its key and its model. */
export interface ServiceSettings {
  readonly address: string;
  readonly key: string;
  /** The place of the model's name; undefined: the setting of this model. */
  readonly model?: string;
}

export const USUAL_SETTINGS: ServiceSettings = { address: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' };
