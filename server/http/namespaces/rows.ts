// The paths of the namespace API (version 5 of the published API), which its Python client calls.
//
// Each row names a path and its fields, hands the work to the service that the operations use, and puts the answer into
// the shape that the client reads; its summary names the call of the client. The rows are no operations of Memoir: they are left out of its description, of the
// SDK and of the tools for agents, which have all of this under one name each.
import type { Operation } from '../../../tools/operation.ts';
import {
  createConnector,
  deleteConnector,
  getConnector,
  listAllConnectors,
  listConnectors,
  syncConnector,
  updateConnector,
} from './connectors.ts';
import {
  addBatchToNamespace,
  addToNamespace,
  countInNamespace,
  deleteFromNamespace,
  getFromNamespace,
  updateInNamespace,
} from './documents.ts';
import { replaceFileInNamespace, updateFileInNamespace, uploadToNamespace } from './files.ts';
import { listNamespace } from './list.ts';
import { forgetInNamespace, forgetMatchingInNamespace, memoryOfNamespace } from './memories.ts';
import { deleteNamespace, getNamespace, listNamespaces, updateNamespace } from './namespaces.ts';
import { getOrganization, updateOrganization } from './organization.ts';
import {
  bucketsOfNamespace,
  deleteBucketsOfNamespace,
  profileOfNamespace,
  setBucketsOfNamespace,
} from './profile.ts';
import { searchNamespace } from './search.ts';

export const namespaceRows: readonly Operation[] = [
  addToNamespace,
  searchNamespace,
  profileOfNamespace,
  listNamespace,
  addBatchToNamespace,
  getFromNamespace,
  updateInNamespace,
  deleteFromNamespace,
  uploadToNamespace,
  replaceFileInNamespace,
  updateFileInNamespace,
  countInNamespace,
  memoryOfNamespace,
  forgetInNamespace,
  forgetMatchingInNamespace,
  bucketsOfNamespace,
  setBucketsOfNamespace,
  deleteBucketsOfNamespace,
  listNamespaces,
  getNamespace,
  updateNamespace,
  deleteNamespace,
  getOrganization,
  updateOrganization,
  listAllConnectors,
  listConnectors,
  createConnector,
  getConnector,
  updateConnector,
  deleteConnector,
  syncConnector,
];
