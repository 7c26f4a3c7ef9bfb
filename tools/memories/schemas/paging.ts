// Fields of paging and sorting.
import { z } from 'zod';
import { wholeNumberField } from '../../shared/primitives.ts';

export const maxPageSize = 1100;

export const pageFields = {
  page: wholeNumberField(1, 1_000_000).prefault(1).describe('The page number, from 1.'),
  limit: wholeNumberField(1, maxPageSize).prefault(10).describe('Documents per page, 1–1100.'),
};

export const sortFields = {
  sort: z
    .enum(['createdAt', 'updatedAt'])
    .default('createdAt')
    .describe('The field to sort by; equal values are sorted by id.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('The sort direction.'),
};

export const pagination = z
  .object({
    currentPage: z.int().describe('The number of this page, from 1.'),
    totalItems: z.int().describe('The total number on all pages.'),
    totalPages: z.int().describe('The number of pages.'),
    limit: z.int().describe('Items per page.'),
  })
  .meta({ id: 'Pagination' })
  .describe('The position of this page in the whole list.');
