// The log of requests without an index of ids: ids are of chance, so that each row of it cost a page.

export const postgresRequestLog = `
drop index requests_by_id;
`;
