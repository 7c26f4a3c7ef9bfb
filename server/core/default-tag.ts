// The container tag of content that names none: the published name.
export const DEFAULT_TAG = 'sm_project_default';
