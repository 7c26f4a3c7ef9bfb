// Takes the network, other processes and unguarded threads away from the parsers. Node's permission model covers files and
// child processes; this Node has no permission for the network, so its functions are replaced, here and in each thread.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads from 'node:worker_threads';

const refuse = (): never => {
  throw Object.assign(new Error('A process that reads content has no network.'), {
    code: 'ERR_ACCESS_DENIED',
  });
};

const refuseAll = (owner: object, names: Iterable<string>): void => {
  for (const name of names) Object.defineProperty(owner, name, { value: refuse, writable: false });
};

const functionsOf = (owner: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(owner))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);

const closeNetwork = (): void => {
  refuseAll(net.Socket.prototype, ['connect']);
  refuseAll(net.Server.prototype, ['listen']);
  refuseAll(net, ['connect', 'createConnection', 'createServer', '_createServerHandle']);
  refuseAll(dgram.Socket.prototype, functionsOf(dgram.Socket.prototype));
  refuseAll(dgram, functionsOf(dgram));
  refuseAll(dns.Resolver.prototype, functionsOf(dns.Resolver.prototype));
  refuseAll(dns.promises.Resolver.prototype, functionsOf(dns.promises.Resolver.prototype));
  refuseAll(dns.promises, functionsOf(dns.promises));
  refuseAll(dns, functionsOf(dns));
  refuseAll(globalThis, ['fetch', 'WebSocket', 'EventSource']);
};

/** A thread gets the options of this process, so that it is confined too. */
const guardThreads = (): void => {
  const { Worker } = threads;
  const Guarded = function guarded(file: string | URL, options: threads.WorkerOptions = {}) {
    const { execArgv: _, env: __, ...others } = options;
    return Reflect.construct(Worker, [file, others], new.target ?? Worker);
  };
  Guarded.prototype = Worker.prototype;
  Object.defineProperty(Worker.prototype, 'constructor', { value: Guarded });
  Object.defineProperty(threads, 'Worker', { value: Guarded });
};

/** A process may only end itself. */
const guardProcesses = (): void => {
  const kill = process.kill.bind(process);
  const killSelf = (pid: number, signal?: string | number): true =>
    pid === process.pid ? kill(pid, signal) : refuse();
  Object.defineProperty(process, 'kill', { value: killSelf });
};

closeNetwork();
guardThreads();
guardProcesses();
syncBuiltinESMExports();
