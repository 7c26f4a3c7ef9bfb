// The public network addresses. All others are refused: this machine, private networks, special ranges.
import { BlockList, isIP } from 'node:net';

type Range = readonly [address: string, bits: number];

/** The special-purpose registry of IPv4. */
const SPECIAL_V4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** The only public range of IPv6; mapped, translated, local and multicast addresses lie outside of it. */
const GLOBAL_V6: Range = ['2000::', 3];

/** Special ranges within it: Teredo, documentation, 6to4 (which contains an IPv4 address). */
const SPECIAL_V6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [address, bits] of SPECIAL_V4) special.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of SPECIAL_V6) special.addSubnet(address, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_V6, 'ipv6');

/** False for text that is not an address. Only local addresses have a zone (`%eth0`). */
export const isPublic = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
};

/** The services that give a machine in a cloud its credentials: never to be asked for anybody. */
const metadata = new BlockList();
metadata.addSubnet('169.254.0.0', 16, 'ipv4');
metadata.addAddress('fd00:ec2::254', 'ipv6');
metadata.addAddress('fd20:ce::254', 'ipv6');

export const isMachineMetadata = (address: string): boolean => {
  const family = address.includes('%') ? 0 : isIP(address);
  return family !== 0 && metadata.check(address, family === 4 ? 'ipv4' : 'ipv6');
};
