// Promises about facts: statements that a sender makes about the content.
import type { PromiseRow } from '../promise.ts';

export const facts = [
  {
    id: 'facts:add:memories',
    source: 'ours',
    says: 'Facts that are sent with content become its memories, and nothing else is drawn from that content.',
    ways: ['rest', 'mcp'],
  },
  {
    id: 'facts:add:fields',
    source: 'ours',
    says: 'A fact has its content and, if wanted, isStatic, forgetAfter and replaces; an unusable one fails with 400, and so do more than 20. An empty list is the same as none.',
    ways: ['rest'],
  },
  {
    id: 'facts:add:ways',
    source: 'ours',
    says: 'Facts can be sent with a document, a document of a batch, a file, a conversation and new content of a document.',
    ways: ['rest'],
  },
  {
    id: 'facts:add:searched-only',
    source: 'ours',
    says: 'Facts for a document from which no memories are drawn fail with 400, by its taskType as by its filepath.',
    ways: ['rest'],
  },
  {
    id: 'facts:add:same-rules',
    source: 'ours',
    says: 'A fact that is a memory already becomes one more source of it, and one that changes a memory becomes its next version; what the organisation leaves out becomes none.',
    ways: ['rest'],
  },
  {
    id: 'facts:replaces:version',
    source: 'ours',
    says: 'A fact that replaces a memory becomes the next version of it, whatever both say and whatever their dates are.',
    ways: ['rest', 'mcp'],
  },
  {
    id: 'facts:replaces:refused',
    source: 'ours',
    says: 'A fact that replaces a memory which is not under exactly the tags of the document fails with 404; one that replaces an older version fails with 409 and names the latest; one that replaces a forgotten memory fails with 409. Nothing is stored.',
    ways: ['rest', 'mcp'],
  },
  {
    id: 'facts:answer:similar',
    source: 'ours',
    says: 'The answer to content with facts names up to three memories that a fact seems to change, with id and text, none of them outside the tags of the document.',
    ways: ['rest', 'mcp'],
  },
  {
    id: 'facts:resend:kept',
    source: 'ours',
    says: 'Content that is sent again without facts keeps those of its unchanged passages, and its new passages are read for memories.',
    ways: ['rest'],
  },
  {
    id: 'facts:resend:replaced',
    source: 'ours',
    says: 'Content that is sent again with facts has these facts only; a new part that is sent alone adds its facts to those of the other parts.',
    ways: ['rest'],
  },
  {
    id: 'facts:crash:kept',
    source: 'ours',
    says: 'A fact whose content was accepted becomes a memory even if the server is killed at once after the answer.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
