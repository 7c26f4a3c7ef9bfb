import { describeKind } from '../fixtures/contract.ts';

describeKind('doc', { sample: 'office/table.doc', type: 'text', mimeType: /msword/ });
