// Pages and their order.
import { z } from 'zod';
import { wholeNumber } from './primitives.ts';

export const maxPageSize = 1100;

export const pageFields = {
  page: wholeNumber(1, 1_000_000).prefault(1).describe('The page, from 1.'),
  limit: wholeNumber(1, maxPageSize).prefault(10).describe('Documents per page, 1–1100.'),
};

export const sortFields = {
  sort: z.enum(['createdAt', 'updatedAt']).default('createdAt').describe('What to sort by; ties by id.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('The direction.'),
};

export const pagination = z
  .object({
    currentPage: z.int().describe('This page, from 1.'),
    totalItems: z.int().describe('How many there are on all pages.'),
    totalPages: z.int().describe('How many pages there are.'),
    limit: z.int().describe('Items per page.'),
  })
  .meta({ id: 'Pagination' })
  .describe('Where this page stands.');
