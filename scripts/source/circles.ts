// Circles of imports: among files, and among the children of every folder. Imports of types count as well.
import { posix } from 'node:path';
import type { Edge } from './edges.ts';

interface Link {
  readonly from: string;
  readonly to: string;
}

/** Tarjan's algorithm: groups of two and more places that all lead to each other. */
const circlesAmong = (links: readonly Link[]): string[][] => {
  const next = Map.groupBy(links, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const lower = (place: string, number: number | undefined): void => {
    lowest.set(place, Math.min(lowest.get(place) ?? Number.POSITIVE_INFINITY, number ?? 0));
  };
  const visit = (place: string): void => {
    order.set(place, order.size);
    lower(place, order.get(place));
    open.push(place);
    for (const { to } of next.get(place) ?? []) {
      if (!order.has(to)) {
        visit(to);
        lower(place, lowest.get(to));
      } else if (open.includes(to)) lower(place, order.get(to));
    }
    if (lowest.get(place) !== order.get(place)) return;
    const circle = open.splice(open.indexOf(place));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const place of next.keys()) if (!order.has(place)) visit(place);
  return circles;
};

const ours = (edges: readonly Edge[]): Edge[] => edges.filter((edge) => edge.ours && edge.kind !== 'entry');

export const circlesOfFiles = (edges: readonly Edge[]): string[][] => circlesAmong(ours(edges));

const parentsOf = (path: string): string[] => {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [...parentsOf(parent), parent];
};

/** The child of `folder` that holds the path: a folder or a file. */
const childOf = (folder: string, path: string): string =>
  `${folder}/${path.slice(folder.length + 1).split('/')[0]}`;

/**
 * In each folder its children, files and folders, import each other in no circle. The top is left out: `tools/context.ts`
 * takes types from the server, whose schemas come from `tools/`.
 */
export const circlesOfFolders = (edges: readonly Edge[]): string[][] => {
  const folders = new Set(ours(edges).flatMap(({ from }) => parentsOf(from)));
  return [...folders].flatMap((folder) => {
    const inside = (path: string): boolean => path.startsWith(`${folder}/`);
    const links = ours(edges)
      .filter(({ from, to }) => inside(from) && inside(to))
      .map(({ from, to }) => ({ from: childOf(folder, from), to: childOf(folder, to) }))
      .filter(({ from, to }) => from !== to);
    return circlesAmong(links);
  });
};
