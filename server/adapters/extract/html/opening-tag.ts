// The tags with which a page or a piece of HTML begins.

const WHOLE_PAGE = /^<(?:!doctype\s{1,20}html|html|head|body)(?=[\s>])/i;
const FRAGMENT =
  /^<(?:a|abbr|address|article|aside|b|blockquote|br|center|code|dd|details|div|dl|dt|em|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|li|link|main|meta|nav|ol|p|pre|s|script|section|small|span|strong|style|sub|summary|sup|table|tbody|td|th|title|tr|tt|u|ul|var|video)(?=[\s/>])/i;

export const beginsPage = (body: string): boolean => WHOLE_PAGE.test(body);

/** A page of Markdown may begin like this, and so does much code. */
export const beginsFragment = (body: string): boolean => FRAGMENT.test(body);
