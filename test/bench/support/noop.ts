// A server that does nothing: the load that it takes is the most that the load generator can measure.
import { createServer } from 'node:http';

const ANSWER = JSON.stringify({ id: '1BQ8vWzUqTfGZ4kS9xNc7d', status: 'queued' });

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
    response.end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    console.log(`Nothing listens on http://127.0.0.1:${address.port}`);
});
process.once('SIGTERM', () => process.exit(0));
