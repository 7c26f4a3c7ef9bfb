// Takes the network, other processes and unguarded threads away from the parsers. Node's permission model covers files and
// child processes; this Node has no permission for the network, so its functions are replaced, here and in each thread.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads from 'node:worker_threads';

const refuseNetwork = (): never => {
  throw Object.assign(new Error('A process that reads content has no network.'), {
    code: 'ERR_ACCESS_DENIED',
  });
};

const refuseAll = (owner: object, names: Iterable<string>): void => {
  for (const name of names) Object.defineProperty(owner, name, { value: refuseNetwork, writable: false });
};

const methodNames = (owner: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(owner))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);

const closeNetwork = (): void => {
  refuseAll(net.Socket.prototype, ['connect']);
  refuseAll(net.Server.prototype, ['listen']);
  refuseAll(net, ['connect', 'createConnection', 'createServer', '_createServerHandle']);
  refuseAll(dgram.Socket.prototype, methodNames(dgram.Socket.prototype));
  refuseAll(dgram, methodNames(dgram));
  refuseAll(dns.Resolver.prototype, methodNames(dns.Resolver.prototype));
  refuseAll(dns.promises.Resolver.prototype, methodNames(dns.promises.Resolver.prototype));
  refuseAll(dns.promises, methodNames(dns.promises));
  refuseAll(dns, methodNames(dns));
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
    pid === process.pid ? kill(pid, signal) : refuseNetwork();
  Object.defineProperty(process, 'kill', { value: killSelf });
};

closeNetwork();
guardThreads();
guardProcesses();
syncBuiltinESMExports();
