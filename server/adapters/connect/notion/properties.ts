// The properties of a page as metadata: scalars under the names that people gave them.
import { z } from 'zod';
import type { SourceValue } from '../port.ts';
import { type NotionPage, plainText, RICH_TEXT } from './api.ts';

const MOST_PROPERTIES = 60;
const LONGEST_NAME = 128;
const LONGEST_VALUE = 4_096;
/** Names of filters that mean something else. */
const RESERVED = /^sm_/i;

const NAMED = z.object({ name: z.string().nullish() });
const DATE = z.object({ start: z.string(), end: z.string().nullish() });

const joinedNames = (values: readonly (string | null | undefined)[]): string | null =>
  values.filter((value) => value != null && value !== '').join(', ') || null;

const readAs = <Shape extends z.ZodType>(
  shape: Shape,
  toValue: (value: z.output<Shape>) => SourceValue | null | undefined,
) => {
  const optional = shape.nullish();
  return (value: unknown): SourceValue | null => {
    const parsed = optional.safeParse(value);
    return parsed.success && parsed.data != null ? (toValue(parsed.data) ?? null) : null;
  };
};

const names = readAs(z.array(NAMED), (list) => joinedNames(list.map(({ name }) => name)));
const name = readAs(NAMED, (one) => one.name);
const text = readAs(z.string(), (one) => one);
const number = readAs(z.number(), (one) => one);
const flag = readAs(z.boolean(), (one) => one);
const start = readAs(DATE, (date) => date.start);

type ReadValue = (value: unknown) => SourceValue | null;

const inner = (value: unknown): SourceValue | null => {
  const parsed = z.object({ type: z.string() }).loose().nullish().safeParse(value);
  if (!parsed.success || parsed.data == null) return null;
  const { type } = parsed.data;
  return VALUES[type]?.(parsed.data[type]) ?? null;
};

const innerList = readAs(z.array(z.unknown()), (list) =>
  joinedNames(
    list.map((one) => {
      const value = inner(one);
      return value === null ? null : String(value);
    }),
  ),
);

/** Titles, buttons, and relations (whose titles are asked for when the page is read) are no metadata here. */
const VALUES: Readonly<Record<string, ReadValue>> = {
  rich_text: readAs(RICH_TEXT, (parts) => plainText(parts)),
  // Within a rollup, the title of another page.
  title: readAs(RICH_TEXT, (parts) => plainText(parts)),
  ...{ number, checkbox: flag, url: text, email: text, phone_number: text, string: text, boolean: flag },
  ...{ select: name, status: name, multi_select: names, people: names, files: names, date: start },
  ...{ created_by: name, last_edited_by: name, created_time: text, last_edited_time: text },
  ...{ formula: inner, rollup: inner, array: innerList },
  unique_id: readAs(z.object({ prefix: z.string().nullish(), number: z.number().nullable() }), (id) =>
    id.number === null ? null : `${id.prefix ? `${id.prefix}-` : ''}${id.number}`,
  ),
  verification: readAs(z.object({ state: z.string() }), ({ state }) => state),
  place: readAs(z.object({ name: z.string().nullish(), address: z.string().nullish() }), (place) =>
    joinedNames([place.name, place.address]),
  ),
};

const shortenedValue = (value: SourceValue): SourceValue =>
  typeof value === 'string' ? value.slice(0, LONGEST_VALUE).toWellFormed() : value;

const metadataName = (property: string): string | null => {
  const tidy = property
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replace(RESERVED, 'notion_')
    .slice(0, LONGEST_NAME)
    .toWellFormed();
  return tidy === '' ? null : tidy;
};

export const pageMetadata = ({ properties }: NotionPage): Record<string, SourceValue> => {
  const metadata: Record<string, SourceValue> = {};
  for (const [property, content] of Object.entries(properties).slice(0, MOST_PROPERTIES)) {
    const key = content.type === 'title' ? null : metadataName(property);
    const value = key === null ? null : (VALUES[content.type]?.(content[content.type]) ?? null);
    if (key !== null && value !== null && value !== '') metadata[key] = shortenedValue(value);
  }
  return metadata;
};

const RELATION = z.array(z.object({ id: z.string() }));

/** The pages to which the relations of a page lead, by the name of the property. */
export const pageRelations = ({ properties }: NotionPage): Record<string, string[]> => {
  const relations: Record<string, string[]> = {};
  for (const [property, content] of Object.entries(properties)) {
    const parsed = content.type === 'relation' ? RELATION.safeParse(content.relation) : null;
    const key = metadataName(property);
    if (parsed?.success === true && parsed.data.length > 0 && key !== null)
      relations[key] = parsed.data.map(({ id }) => id);
  }
  return relations;
};
