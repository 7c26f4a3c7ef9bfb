// The value types of settings. Their errors complete the sentence "expected …".
import { isIP } from 'node:net';
import { z } from 'zod';
import { LOOPBACK } from '../lib/own-address.ts';

export const wholeNumberSetting = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error, abort: true })
    .transform(Number)
    .pipe(z.int().min(min, { error }).max(max, { error }));
};

const isBareUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === '';
};

/** An address without a trailing slash. */
export const webAddress = z
  .string()
  .refine(isBareUrl, { error: 'an http or https address, as in https://memory.example.org' })
  .transform((text) => text.replace(/\/+$/, ''));

const LOCAL_SERVER = /^(?:ollama|lmstudio|llamacpp|vllm)(?:-[a-z0-9]{1,20})?$/;

/** The address without a slash at its end; null: it is no address of this machine. */
const addressHere = (text: string): string | null => {
  const url = isBareUrl(text) ? new URL(text) : null;
  return url?.protocol === 'http:' && LOOPBACK.includes(url.hostname) && url.pathname === '/'
    ? url.origin
    : null;
};

/** Servers of models with their addresses, as in "ollama=http://127.0.0.1:11434", separated by commas or spaces; or "none". */
export const localServerList = z.string().transform((text, context) => {
  const parts = text.split(/[,\s]+/).filter((part) => part !== '' && part !== 'none');
  const servers = parts.map((part) => {
    const at = part.indexOf('=');
    return { name: part.slice(0, at), address: addressHere(part.slice(at + 1)) };
  });
  const names = new Set(servers.map(({ name }) => name));
  return servers.flatMap(({ name, address }) => {
    if (address !== null && LOCAL_SERVER.test(name) && names.size === servers.length)
      return [{ name, address }];
    context.addIssue({
      code: 'custom',
      message:
        'none, or servers of this machine, each with a name of its own, as in ollama=http://127.0.0.1:11434,llamacpp-2=http://127.0.0.1:8081; the names begin with ollama, lmstudio, llamacpp or vllm, and a server of another machine is set by MEMOIR_EMBEDDING_URL or OPENAI_MODEL_URL',
    });
    return [];
  });
});

/** Language codes, separated by commas, spaces or plus signs. */
export const languageCodes = z
  .string()
  .regex(/^[a-z]{3}[a-z_]{0,16}(?:[,+ ]+[a-z]{3}[a-z_]{0,16}){0,7}$/, {
    error: 'at most eight language codes, as in eng,deu',
  })
  .transform((text) => text.split(/[,+ ]+/));

const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, or a network with the number of its leading bits. */
const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
};

/** Addresses and networks, separated by commas or spaces. */
export const proxyList = z
  .string()
  .transform((text) => text.split(/[,\s]+/).filter((one) => one !== ''))
  .refine((list) => list.every((one) => NETWORK_NAMES.includes(one) || isNetwork(one)), {
    error: 'addresses, networks as in 10.0.0.0/8, or loopback, separated by commas',
  });

const HOST_WITH_PORT = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):\d{1,5}$/;

/** Hosts with their ports, separated by commas or spaces; the brackets of IPv6 are left out. */
export const hostList = z.string().transform((text, context) => {
  const hosts = text
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((part) => part !== '');
  const wrong = hosts.find((host) => !HOST_WITH_PORT.test(host));
  if (wrong !== undefined)
    context.addIssue({
      code: 'custom',
      message: 'hosts with their ports, as in minio:9000,10.0.0.5:8080',
    });
  return hosts.map((host) => host.replace(/[[\]]/g, ''));
});
