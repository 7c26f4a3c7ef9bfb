// `node:http` without reading all of its exports: an import reads each, and `WebSocket` among them loads Node's whole client
// of fetch, which costs 30 ms in every thread.

export const nodeHttp = process.getBuiltinModule('node:http');
