// Deleting one document for good.
import { operation } from '../operation.ts';
import { deleteTool } from './delete.agent.ts';
import { referenceInput } from './schemas/inputs.ts';
import { nothing } from './schemas/outputs.ts';

export const deleteDocument = operation({
  name: 'documents.delete',
  summary: 'Delete a document',
  description:
    'Permanent: erases the document, its chunks and its vectors. Takes the id or the customId. If several documents have the customId, nothing is deleted and the error lists them.',
  rest: { method: 'DELETE', path: '/v3/documents/{id}', status: 204 },
  permission: 'write',
  reaches: 'document',
  audits: 'document.delete',
  input: referenceInput,
  output: nothing,
  mcp: deleteTool,
  tags: () => undefined,
  async run(service, input, caller) {
    await service.documents.remove(caller, input.id);
    return null;
  },
});
