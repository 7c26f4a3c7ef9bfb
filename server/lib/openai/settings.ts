// The settings of a service, as messages name them.

/** Those that hold its address and its key. */
export interface ServiceSettings {
  readonly address: string;
  readonly key: string;
}

export const USUAL_SETTINGS: ServiceSettings = { address: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' };
