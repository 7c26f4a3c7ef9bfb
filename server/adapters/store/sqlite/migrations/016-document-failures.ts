// Documents with a failure are few: they are counted and found without a look at the others.

export const documentFailures = `
create index documents_with_failure on documents (failure_code) where deleted = 0 and failure_code is not null;
`;
