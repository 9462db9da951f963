// The only way from HTML text to elements. Whatever made the HTML, only these tags and attributes come through.

import DOMPurify from "dompurify";

const TAGS = [
  "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "input", "li", "ol", "p", "pre",
  "s", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
];
const ATTRIBUTES = ["align", "checked", "class", "data-file", "disabled", "href", "rel", "start", "target", "title", "type"];

/** Elements for some HTML. */
export function elements(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#$)/i,
    // None of the others holds an address.
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== "href"),
    RETURN_DOM_FRAGMENT: true,
  });
}
