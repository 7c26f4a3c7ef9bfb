// Contents of resources and prompts: a profile or a document as Markdown.
import type { z } from 'zod';
import type { getDocument } from '../../tools/documents/get.ts';
import type { getProfile } from '../../tools/profile/get.ts';

type Document = z.output<typeof getDocument.output>;
type Profile = z.output<typeof getProfile.output>['profile'];

/** The most characters in one resource; REST returns the whole text. */
const LONGEST_CONTENT = 50_000;

const bulletSection = (title: string, lines: readonly string[] = []): string[] =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];

export const profileMarkdown = (tag: string, { static: lasting, dynamic, buckets = {} }: Profile): string => {
  const sections = [
    ...bulletSection('Lasting facts', lasting),
    ...bulletSection('Recent facts', dynamic),
    ...Object.entries(buckets).flatMap(([name, lines]) => bulletSection(name, lines)),
  ];
  const body = sections.length === 0 ? ['', 'Nothing is known yet.'] : sections;
  return [`# Profile of ${tag}`, ...body, ''].join('\n');
};

const shownContent = ({ id, content }: Document): string => {
  const whole = content ?? '';
  if (whole.length <= LONGEST_CONTENT) return whole;
  const cutNotice = `[The first ${LONGEST_CONTENT} of ${whole.length} characters. GET /v3/documents/${id} returns the whole text.]`;
  return `${whole.slice(0, LONGEST_CONTENT)}…\n\n${cutNotice}`;
};

export const documentMarkdown = (document: Document): string => {
  const { id, customId, title, status, step, failure, containerTags, createdAt, url } = document;
  const facts = [
    `id: ${id}`,
    ...(customId === null ? [] : [`customId: ${customId}`]),
    `status: ${status === 'processing' ? `processing (${step})` : status}`,
    ...(failure === null ? [] : [`failure: ${failure.message}`]),
    `container tags: ${containerTags.join(', ')}`,
    `added: ${createdAt}`,
    ...(url === null ? [] : [`address: ${url}`]),
  ];
  return [`# ${title ?? id}`, '', ...facts.map((fact) => `- ${fact}`), '', shownContent(document)].join('\n');
};
