// Where content goes that names no container tag: the published name.
export const DEFAULT_TAG = 'sm_project_default';
