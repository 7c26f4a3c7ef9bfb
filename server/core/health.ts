// The health of the service and of each of its parts.

export interface PartHealth {
  status: 'ok' | 'starting' | 'degraded' | 'down';
  detail?: string;
}

export interface Health {
  ready: boolean;
  version: string;
  parts: Record<string, PartHealth>;
}
