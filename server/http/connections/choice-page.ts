// The page on which a person chooses what a connection syncs: folders are opened on demand, ticks are kept from page to page.

import { type Html, html } from '../../lib/text/html.ts';
import { page } from '../pages/html.ts';
import type { ChoiceView, ChosenEntry } from './choice-form.ts';

export interface ShownResource extends ChosenEntry {
  readonly path?: string | undefined;
  readonly hasChildren: boolean;
  readonly selectable: boolean;
}

export interface ChoicePage {
  /** As people write it: Google Drive. */
  readonly title: string;
  readonly account: string | null;
  readonly action: string;
  readonly view: ChoiceView;
  readonly resources: readonly ShownResource[];
  /** There is a page after this one. */
  readonly hasMore: boolean;
  readonly canSearch: boolean;
  readonly chosen: readonly ChosenEntry[];
  /** The number and size of the items to sync, as a sentence; null: they were not counted. */
  readonly counted: string | null;
  readonly problem: string | null;
  /** The address of the browser after the choice. */
  readonly formTo?: string | undefined;
}

const NOTHING: Html = { html: '' };

const entryOf = ({ id, name, kind, how }: ChosenEntry): string =>
  JSON.stringify({ id, name, kind, ...(how === undefined ? {} : { how }) });

const rowOf = (resource: ShownResource, checked: boolean): Html => {
  const { id, name, path, hasChildren, selectable } = resource;
  const label = path ?? name;
  const box = selectable
    ? html`<label><input type="checkbox" name="tick" value="${entryOf(resource)}"${checked ? { html: ' checked' } : NOTHING}> ${label}</label>`
    : html`<span>${label}</span>`;
  const open = hasChildren
    ? html` <button name="do" value="open:${JSON.stringify({ id, name })}" aria-label="Open ${name}">Open</button>`
    : NOTHING;
  return html`<li>${box}${open}</li>`;
};

const trailOf = ({ trail, words }: ChoiceView, title: string): Html =>
  trail.length === 0 && words === ''
    ? NOTHING
    : html`<nav aria-label="Folders"><button name="do" value="to:0">${title}</button>${trail.map(
        ({ name }, at) => html`<button name="do" value="to:${at + 1}">${name}</button>`,
      )}</nav>`;

const pageButtons = ({ page: number }: ChoiceView, hasMore: boolean): Html => {
  const back =
    number > 1 ? html`<button name="do" value="page:${number - 1}">Previous page</button>` : NOTHING;
  const next = hasMore ? html`<button name="do" value="page:${number + 1}">Next page</button>` : NOTHING;
  return number > 1 || hasMore ? html`<p>${back}${next}</p>` : NOTHING;
};

const legendOf = ({ trail, words }: ChoiceView, title: string): string =>
  words === '' ? (trail.at(-1)?.name ?? title) : `Found for "${words}"`;

const NAMES_SHOWN = 20;

const chosenNotice = (chosen: readonly ChosenEntry[], counted: string | null): Html => {
  const names = chosen.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = chosen.length > NAMES_SHOWN ? ` and ${chosen.length - NAMES_SHOWN} more` : '';
  const said =
    chosen.length === 0 ? 'Nothing is chosen yet.' : `${chosen.length} chosen: ${names.join(', ')}${more}.`;
  return html`<p role="status">${said}${counted === null ? NOTHING : html` <strong>${counted}</strong>`}</p>`;
};

const problemOf = (problem: string | null): Html =>
  problem === null ? NOTHING : html`<p class="problem" role="alert">${problem}</p>`;

/** The button of the search comes first, so that the Enter key in its field searches and never saves. */
export const sourceChoicePage = (shown: ChoicePage) => {
  const { title, account, action, view, resources, chosen, formTo } = shown;
  const ids = new Set(resources.map(({ id }) => id));
  const chosenIds = new Set(chosen.map(({ id }) => id));
  const kept = chosen.filter(({ id }) => !ids.has(id));
  const search = shown.canSearch
    ? html`<p><label for="words">Search by name</label><input id="words" name="words" type="text" value="${view.words}" autocomplete="off">
<button name="do" value="search:">Search</button></p>`
    : NOTHING;
  const rows =
    resources.length === 0
      ? html`<p>Nothing is here.</p>`
      : html`<ul class="tags">${resources.map((one) => rowOf(one, chosenIds.has(one.id)))}</ul>`;
  return page(
    `Choose what to sync from ${title}`,
    html`${account === null ? NOTHING : html`<p>Signed in as <strong>${account}</strong>. Only what you tick is read; a folder stands for all that is in it.</p>`}
${problemOf(shown.problem)}<form method="post" action="${action}">
${search}${trailOf(view, title)}
<input type="hidden" name="trail" value="${JSON.stringify(view.trail)}"><input type="hidden" name="shownWords" value="${view.words}">
<input type="hidden" name="page" value="${view.page}">
${kept.map((one) => html`<input type="hidden" name="chosen" value="${entryOf(one)}">`)}
<fieldset><legend>${legendOf(view, title)}</legend>${rows}</fieldset>${pageButtons(view, shown.hasMore)}
${chosenNotice(chosen, shown.counted)}
<p><button name="do" value="count">Count what would be synced</button><button name="do" value="save">Save and sync</button></p></form>`,
    { formTo },
  );
};
