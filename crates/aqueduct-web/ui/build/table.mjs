// The table of embedded files, as Rust.

const TYPES = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json",
};

/** Rust source for some files, each with its name and a hash of its content. */
export function table(files) {
  const packed = new Set(files.filter((file) => file.name.endsWith(".gz")).map((file) => file.name.slice(0, -3)));
  const plain = files
    .filter((file) => !file.name.endsWith(".gz"))
    .map((file) => ({ ...file, path: file.name === "index.html" ? "/" : `/${file.name}` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const rows = plain.map(({ name, path, etag }) => {
    const gzip = packed.has(name) ? `Some(include_bytes!("../dist/${name}.gz"))` : "None";
    return `    Asset {
        path: "${path}",
        content_type: "${TYPES[name.split(".").at(-1)]}",
        etag: "\\"${etag}\\"",
        immutable: ${/-[0-9A-Z]{8}\./.test(name)},
        bytes: include_bytes!("../dist/${name}"),
        gzip: ${gzip},
    },
`;
  });
  return `// Made by ui/build/build.mjs. Do not edit.

use crate::Asset;

/// Every file of the UI, by path.
pub(crate) static ASSETS: &[Asset] = &[
${rows.join("")}];
`;
}
