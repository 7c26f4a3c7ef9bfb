// Usage: calls by hour and by day, with their durations in buckets that add up, the same by container tag, and the log of
// requests with the documents and memories that a row may hold texts of.

const buckets = Array.from({ length: 16 }, (_, at) => `b${at} integer not null`).join(', ');

export const usage = `
create table usage_calls (
  span text not null, start integer not null, key text not null, operation text not null, way text not null,
  status integer not null, count integer not null, sum_ms integer not null, max_ms integer not null,
  documents integer not null, bytes integer not null, last_at integer not null, ${buckets},
  primary key (span, start, key, operation, way, status)
) strict, without rowid;
create table usage_tags (
  span text not null, start integer not null, tag integer not null, type text not null, count integer not null,
  documents integer not null, bytes integer not null, last_at integer not null,
  primary key (span, start, tag, type)
) strict, without rowid;
create index usage_tags_of_tag on usage_tags (tag);
create table requests (
  n integer primary key autoincrement, at integer not null, id text not null, type text not null, operation text not null,
  way text not null, key text not null, status integer not null, ms integer not null, input text not null,
  output text not null
) strict;
create index requests_by_time on requests (at);
create index requests_by_id on requests (id);
create table request_units (
  unit text not null, request integer not null, primary key (unit, request)
) strict, without rowid;
create index request_units_of_request on request_units (request);
`;
