import { expect, test } from 'vitest';
import { besideShapes } from './drawing.ts';

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inside}</svg>`;

test.each([
  ['a shape', svg('<path d="M0 0h9v9z" fill="#123456"/>')],
  ['a picture inside', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
  ['a gradient by its name', svg('<g fill="url(#a)"><use xlink:href="#b"/></g>')],
  ['a style', svg('<style><![CDATA[.a{fill:url("#a")}]]></style>')],
  [
    'what an editor writes',
    `\ufeff<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- https://drawn.example --><svg:svg xmlns:svg="http://www.w3.org/2000/svg"
  xmlns:xlink="http://www.w3.org/1999/xlink"><svg:title>A\\B // C</svg:title><svg:g/></svg:svg>`,
  ],
])('%s is taken', (_, text) => {
  expect(besideShapes(text)).toBeNull();
});

test.each([
  ['<script>', svg('<script>alert(1)</script>')],
  ['<svg:script>', svg('<svg:script>alert(1)</svg:script>')],
  ['<x:script>', svg('<x:script/>', ' xmlns:x="http://www.w3.org/2000/svg"')],
  ['<sodipodi:namedview>', svg('<sodipodi:namedview/>')],
  ['xmlns', svg('<style xmlns="http://www.w3.org/1999/xhtml"/>')],
  ['xmlns:svg', svg('', ' xmlns:svg="http://www.w3.org/1999/xhtml"')],
  ['<?xml-stylesheet?>', `<?xml-stylesheet href="https://shop.example/x.css"?>${svg('')}`],
  ['a document type of its own', `<!DOCTYPE svg SYSTEM "https://shop.example/x">${svg('')}`],
  ['style', svg('<g style="background:image-set(\'https://shop.example/x\' 1x)"/>')],
  ['<foreignObject>', svg('<foreignObject/>')],
  ['<animate>', svg('<animate attributeName="href"/>')],
  ['<a>', svg('<a href="https://shop.example"/>')],
  ['onload', svg('', ' onload="alert(1)"')],
  ['href', svg('<use href="https://shop.example/a.svg#a"/>')],
  ['xlink:href', svg('<image xlink:href=" data:image/svg+xml;base64,AA"/>')],
  ['style', svg('<g style="fill: url( \'https://shop.example/x\')"/>')],
  ['an address outside', svg(String.raw`<style>a{fill:\75rl(//shop.example)}</style>`)],
  ['an address outside', svg('<style>@import "https://shop.example/x.css"</style>')],
  ['an address outside', svg('<style><![CDATA[a{fill:url(//shop.example)}]]></style>')],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`],
  ['text that is no XML', svg('&a;')],
  ['text that is no XML', '<svg><g></svg>'],
])('%s is found', (found, text) => {
  expect(besideShapes(text)).toBe(found);
});
