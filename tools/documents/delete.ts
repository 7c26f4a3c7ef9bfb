// Deleting one document for good.
import { operation } from '../contract.ts';
import { nothing } from '../shared/document-outputs.ts';
import { referenceInput } from '../shared/documents.ts';
import { deleteTool } from './delete.agent.ts';

export const deleteDocument = operation({
  name: 'documents.delete',
  summary: 'Delete a document',
  description:
    'Permanent: the document, its chunks and its vectors are erased. Takes the id or the customId; a customId that names several documents deletes none and lists them.',
  rest: { method: 'DELETE', path: '/v3/documents/{id}', status: 204 },
  permission: 'write',
  reaches: 'document',
  input: referenceInput,
  output: nothing,
  mcp: deleteTool,
  tags: () => undefined,
  async run(service, input, caller) {
    await service.documents.remove(caller, input.id);
    return null;
  },
});
