// The two steps of the connect page: paste a key, then choose what the program may do.
import type { Service } from '../../calls/service.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { page } from '../pages/html.ts';
import type { ConsentRequest } from './access-request.ts';

type Holder = NonNullable<Awaited<ReturnType<Service['access']['grants']['giver']>>>;

export const DAYS = [1, 7, 30, 90, 365] as const;
const USUAL_DAYS = 30;

const NOTHING: Html = { html: '' };

const problemNotice = (sentence: string | null): Html =>
  sentence === null ? NOTHING : html`<p class="problem" role="alert">${sentence}</p>`;

const requestFacts = ({
  name,
  facts,
}: ConsentRequest): Html => html`<p><strong>${name}</strong> requests access to this memory.
The program chose this name itself. Check the details below.</p>
<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;

const inForm = (accessRequest: ConsentRequest, body: Html) =>
  page(
    `Connect ${accessRequest.name}`,
    html`${requestFacts(accessRequest)}<form method="post" action="${accessRequest.action}">${body}</form>`,
    {
      formTo: accessRequest.redirectSource,
    },
  );

export const signInPage = (accessRequest: ConsentRequest, problem: string | null) =>
  inForm(
    accessRequest,
    html`${problemNotice(problem)}
<p><label for="key">Paste an API key of this Memoir server to continue. The key stays on this server; the program never sees it.</label>
<input id="key" name="key" type="password" autocomplete="off" required autofocus></p>
<p><button name="do" value="signIn">Continue</button>
<button name="do" value="deny" formnovalidate>Deny</button></p>`,
  );

const tagChoice = (
  tags: readonly string[],
  holder: Holder,
): Html => html`<fieldset><legend>Container tags</legend>
<div class="tags">${tags.map((tag) => html`<label><input type="checkbox" name="tag" value="${tag}"> ${tag}</label>`)}</div>
${holder.tags === null ? html`<label>Other container tags, separated by commas <input type="text" name="otherTags" autocomplete="off"></label>` : NOTHING}
<label><input type="checkbox" name="everything" value="yes"> ${holder.tags === null ? 'All container tags' : 'All container tags of this key'}</label></fieldset>`;

const permissionChoice = (mayWrite: boolean): Html => html`<fieldset><legend>Permission</legend>
<label><input type="radio" name="permission" value="read" checked> Read and search</label>
${mayWrite ? html`<label><input type="radio" name="permission" value="write"> Read, add and change</label>` : NOTHING}</fieldset>`;

const daysChoice: Html = html`<fieldset><legend>Duration</legend><label>Days <select name="days">${DAYS.map(
  (days) =>
    days === USUAL_DAYS
      ? html`<option value="${days}" selected>${days}</option>`
      : html`<option value="${days}">${days}</option>`,
)}</select></label></fieldset>`;

const limitsNotice = ({
  expiresAt,
}: Holder): Html => html`<p>The program gets no more than this key may do. It manages no keys, settings or whole tags.
Its access ends when this key is disabled${
  expiresAt === null ? '.' : ` or expires, on ${isoTime(expiresAt).slice(0, 10)} at the latest.`
}</p>`;

/** The Deny button comes first, so that the Enter key never allows access. */
export const choicePage = (
  accessRequest: ConsentRequest,
  {
    holder,
    tags,
    ticket,
    problem,
  }: { holder: Holder; tags: readonly string[]; ticket: string; problem: string | null },
) =>
  inForm(
    accessRequest,
    html`${problemNotice(problem)}<input type="hidden" name="ticket" value="${ticket}">
${tagChoice(tags, holder)}${permissionChoice(accessRequest.mayWrite && holder.permission === 'write')}${daysChoice}${limitsNotice(holder)}
<p><button name="do" value="deny">Deny</button><button name="do" value="allow">Allow</button></p>`,
  );
