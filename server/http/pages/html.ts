// Pages without scripts: escaped text, one style, and headers that forbid framing and other form targets.
import { hash } from 'node:crypto';
import { type Html, html } from '../../lib/text/html.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:34rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0 0 1rem}fieldset{border:1px solid #8886;border-radius:.5rem;margin:1rem 0;padding:.6rem 1rem}
label{display:block;padding:.15rem 0}input[type=password],input[type=text],select{font:inherit;width:100%;box-sizing:border-box;padding:.4rem}
h2{font-size:1.1rem;margin:1.6rem 0 .4rem}.inline{display:inline}li{margin:.4rem 0;overflow-wrap:anywhere}
button{font:inherit;padding:.5rem 1.2rem;margin-right:.6rem;border-radius:.4rem;border:1px solid #888}
.problem{border-left:4px solid #c33;padding-left:.8rem}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
.tags{max-height:14rem;overflow:auto}`;

const STYLE_HASH = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

export interface PageOptions {
  /** The address, in addition to this server, that the form may redirect to. */
  formTo?: string | undefined;
}

/** The headers of a page, and the page. */
export const page = (title: string, body: Html, { formTo }: PageOptions = {}) => {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    `form-action 'self'${formTo === undefined ? '' : ` ${formTo}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Memoir</title><style>${{ html: STYLE }}</style></head>
<body><main><h1>${title}</h1>
${body}</main></body></html>
`.html,
  };
};

export const messagePage = (title: string, sentence: string) => page(title, html`<p>${sentence}</p>`);
