// The two steps of the connect page: paste a key, then choose what the program may do.
import type { Service } from '../../service.ts';
import type { Asker } from './asker.ts';
import { type Html, html, page } from './html.ts';

type Holder = NonNullable<Awaited<ReturnType<Service['access']['grants']['giver']>>>;

export const DAYS = [1, 7, 30, 90, 365] as const;
const USUAL_DAYS = 30;

const NOTHING: Html = { html: '' };

const problemOf = (sentence: string | null): Html =>
  sentence === null ? NOTHING : html`<p class="problem" role="alert">${sentence}</p>`;

const whoAsks = ({ name, facts }: Asker): Html => html`<p><strong>${name}</strong> asks to use this memory.
The name is its own word; what follows is known of it.</p>
<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;

const inForm = (asker: Asker, body: Html) =>
  page(
    `Connect ${asker.name}`,
    html`${whoAsks(asker)}<form method="post" action="${asker.action}">${body}</form>`,
    {
      formTo: asker.redirectSource,
    },
  );

export const signInPage = (asker: Asker, problem: string | null) =>
  inForm(
    asker,
    html`${problemOf(problem)}
<p><label for="key">To decide, paste an API key of this Memoir. It stays here; the program never sees it.</label>
<input id="key" name="key" type="password" autocomplete="off" required autofocus></p>
<p><button name="do" value="signIn">Continue</button>
<button name="do" value="deny" formnovalidate>Deny</button></p>`,
  );

const tagChoice = (
  tags: readonly string[],
  holder: Holder,
): Html => html`<fieldset><legend>Which container tags</legend>
<div class="tags">${tags.map((tag) => html`<label><input type="checkbox" name="tag" value="${tag}"> ${tag}</label>`)}</div>
${holder.tags === null ? html`<label>Others, separated by commas <input type="text" name="otherTags" autocomplete="off"></label>` : NOTHING}
<label><input type="checkbox" name="everything" value="yes"> ${holder.tags === null ? 'Everything' : 'All that this key may use'}</label></fieldset>`;

const permissionChoice = (mayWrite: boolean): Html => html`<fieldset><legend>What it may do</legend>
<label><input type="radio" name="permission" value="read" checked> Read and search</label>
${mayWrite ? html`<label><input type="radio" name="permission" value="write"> Read, add and change</label>` : NOTHING}</fieldset>`;

const daysChoice: Html = html`<fieldset><legend>For how long</legend><label>Days <select name="days">${DAYS.map(
  (days) =>
    days === USUAL_DAYS
      ? html`<option value="${days}" selected>${days}</option>`
      : html`<option value="${days}">${days}</option>`,
)}</select></label></fieldset>`;

/** Denying comes first, so that the Enter key does not allow anything. */
export const choicePage = (
  asker: Asker,
  {
    holder,
    tags,
    ticket,
    problem,
  }: { holder: Holder; tags: readonly string[]; ticket: string; problem: string | null },
) =>
  inForm(
    asker,
    html`${problemOf(problem)}<input type="hidden" name="ticket" value="${ticket}">
${tagChoice(tags, holder)}${permissionChoice(asker.mayWrite && holder.permission === 'write')}${daysChoice}
<p><button name="do" value="deny">Deny</button><button name="do" value="allow">Allow</button></p>`,
  );

export const messagePage = (title: string, sentence: string) => page(title, html`<p>${sentence}</p>`);
