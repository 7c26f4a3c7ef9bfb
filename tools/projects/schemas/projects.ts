// Inputs and outputs of the operations on projects, an older view of container tags.
import { z } from 'zod';
import { singleLine, time } from '../../shared/primitives.ts';

const PREFIX = 'sm_project_';
const LONGEST_TAG = 100;

/** The container tag of a new project: "Holiday plans" → sm_project_holiday_plans. */
const projectTag = (name: string): string =>
  `${PREFIX}${name.trim().toLowerCase().replace(/\s+/gu, '_')}`.slice(0, LONGEST_TAG);

export const project = z
  .object({
    id: z.string().describe('The id of the container tag.'),
    name: z.string().describe('The display name of the container tag. Default: the tag.'),
    containerTag: z.string().describe('The container tag.'),
    createdAt: time.describe('The time of the first use of the tag.'),
    updatedAt: time.describe('The time of the last change of the record.'),
    isExperimental: z.boolean().describe('Always false.'),
    documentCount: z.int().min(0).describe('The number of documents with the tag.'),
  })
  .meta({ id: 'Project', description: 'A container tag as older programs know it.' });
export type Project = z.input<typeof project>;

export const projectsOutput = z.object({ projects: z.array(project).describe('Oldest first.') });

export const createProjectInput = z
  .object({
    name: singleLine(1, 100).describe('The display name; the container tag is made of it.'),
    emoji: z.string().max(10).optional().describe('Accepted and not stored.'),
  })
  .transform(({ name }) => ({ name: name.trim(), containerTag: projectTag(name) }));

export const deleteProjectInput = z
  .object({
    projectId: z.string().min(1).max(100).describe('The id of the project, or its container tag.'),
    action: z
      .enum(['move', 'delete'])
      .describe('delete: its documents are deleted. move: they go to another project.'),
    targetProjectId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('The project that gets the documents; required for move.'),
  })
  .refine(({ action, targetProjectId }) => action === 'delete' || targetProjectId !== undefined, {
    path: ['targetProjectId'],
    error: 'is required for move',
  });
export type DeleteProjectInput = z.output<typeof deleteProjectInput>;

const affected = z.int().min(0);

export const projectDeleted = z.object({
  success: z.boolean().describe('True.'),
  message: z.string().describe('The result in words.'),
  documentsAffected: affected.describe('The number of documents that are deleted or moved.'),
  memoriesAffected: affected.describe('The number of memories that are deleted or moved.'),
});
export type ProjectDeleted = z.input<typeof projectDeleted>;
