// Documents of which no memories are drawn: where a test counts or holds what is embedded, nothing else may be.
import type { Rest } from './use-memoir.ts';

const SEARCHED_ONLY = { taskType: 'superrag' };

export const searchedOnly = (api: Rest): Rest => {
  const own: Pick<Rest, 'post' | 'add'> = {
    post: (body, as) => api.post({ ...SEARCHED_ONLY, ...body }, as),
    add: (body, as) => api.add({ ...SEARCHED_ONLY, ...body }, as),
  };
  return Object.assign(Object.create(api) as Rest, own);
};
