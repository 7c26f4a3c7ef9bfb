// Projects: container tags in the form that older programs read and change.
import type {
  DeleteProjectInput,
  Project,
  ProjectDeleted,
} from '../../../tools/projects/schemas/projects.ts';
import type { TagListOutput } from '../../../tools/tags/schemas/tags.ts';
import { badRequest, conflict, notFound } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import type { Tags } from './tags.ts';

export interface NewProject {
  readonly name: string;
  readonly containerTag: string;
}

export interface Projects {
  list(caller: Caller): Promise<Project[]>;
  /** A project that exists under this name is returned as it is. */
  create(caller: Caller, project: NewProject): Promise<Project>;
  remove(caller: Caller, input: DeleteProjectInput): Promise<ProjectDeleted>;
}

type Tag = TagListOutput[number];

const presentProject = ({ id, name, containerTag, createdAt, updatedAt, documentCount }: Tag): Project => ({
  id,
  name,
  containerTag,
  createdAt,
  updatedAt,
  isExperimental: false,
  documentCount,
});

const projectNamed = (all: readonly Tag[], id: string): Tag => {
  const found = all.find((tag) => tag.id === id || tag.containerTag === id);
  if (found) return found;
  throw notFound(`There is no project ${JSON.stringify(id)}. GET /v3/projects lists the projects.`);
};

const moveProject = async (tags: Tags, caller: Caller, from: Tag, to: Tag): Promise<ProjectDeleted> => {
  if (from.id === to.id) throw badRequest('targetProjectId must be another project than the one to delete.');
  const { containerTag: target } = to;
  const { mergeId } = await tags.merge(caller, { sources: [from.containerTag], target });
  return {
    success: true,
    message: `The documents are being moved to ${JSON.stringify(target)}; GET /v3/container-tags/merge/${mergeId} tells how far it is.`,
    documentsAffected: from.documentCount,
    memoriesAffected: from.memoryCount,
  };
};

const deleteWhole = async (tags: Tags, caller: Caller, { containerTag }: Tag): Promise<ProjectDeleted> => {
  const { deletedDocumentsCount, deletedMemoriesCount } = await tags.remove(caller, containerTag);
  return {
    success: true,
    message: `The project ${JSON.stringify(containerTag)} is deleted.`,
    documentsAffected: deletedDocumentsCount,
    memoriesAffected: deletedMemoriesCount,
  };
};

export const createProjects = (tags: Tags): Projects => ({
  list: async (caller) => (await tags.list(caller)).map(presentProject),

  async create(caller, { name, containerTag }) {
    const find = async () => (await tags.list(caller)).find((tag) => tag.containerTag === containerTag);
    const before = await find();
    if (before && before.name !== name && before.name !== containerTag)
      throw conflict(
        `The container tag ${containerTag} belongs to the project ${JSON.stringify(before.name)}. Choose another name.`,
      );
    if (before?.name !== name) await tags.update(caller, { containerTag, name });
    const made = await find();
    if (!made) throw new Error(`The container tag ${containerTag} is missing after it was made.`);
    return presentProject(made);
  },

  async remove(caller, { projectId, action, targetProjectId }) {
    const all = await tags.list(caller);
    const project = projectNamed(all, projectId);
    return action === 'move'
      ? moveProject(tags, caller, project, projectNamed(all, targetProjectId ?? ''))
      : deleteWhole(tags, caller, project);
  },
});
