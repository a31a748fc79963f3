import {
  parseXml,
  XmlDocumentType,
  XmlElement,
  type XmlNode,
  XmlProcessingInstruction,
  XmlText,
} from '@rgrove/parse-xml';

const elements = new Set(
  [
    'svg g defs symbol use switch title desc metadata style image',
    'path rect circle ellipse line polyline polygon text tspan textPath',
    'linearGradient radialGradient stop pattern clipPath mask marker filter',
    'feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG',
    'feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile feTurbulence',
  ].flatMap((line) => line.split(' ')),
);

const svg = 'http://www.w3.org/2000/svg';
const documentTypes = 'http://www.w3.org/Graphics/SVG/';

// Of this drawing, or a picture that stands in it.
const ownAddress = /^\s*(#|data:image\/(png|jpeg);base64,)/i;
// A backslash can hide any of the others from this reader.
const outsideAddress =
  /\\|\/\/|@import|javascript:|image-set\(|src\(|url\((?!\s*["']?\s*(#|data:image\/(png|jpeg);))/i;

/**
 * What stands in an SVG beside shapes; null: shapes alone. Nothing in one that is taken runs or reads
 * from elsewhere, wherever somebody shows it.
 */
export const besideShapes = (text: string): string | null => {
  const left = nodesOf(text);
  if (!left) return 'text that is no XML';
  for (let node = left.pop(); node; node = left.pop()) {
    const found = wrongIn(node);
    if (found) return found;
    if (node instanceof XmlElement) left.push(...node.children);
  }
  return null;
};

const nodesOf = (text: string): XmlNode[] | null => {
  try {
    const options = { preserveDocumentType: true };
    return [...parseXml(text.replace(/^\ufeff/, ''), options).children];
  } catch {
    return null;
  }
};

const wrongIn = (node: XmlNode): string | null => {
  if (node instanceof XmlProcessingInstruction) return `<?${node.name}?>`;
  if (node instanceof XmlDocumentType) return wrongInType(node);
  if (node instanceof XmlText) return isOfStyle(node) ? outsideIn(node.text) : null;
  return node instanceof XmlElement ? wrongInElement(node) : null;
};

const wrongInType = ({ internalSubset, systemId }: XmlDocumentType): string | null => {
  if (internalSubset) return 'entities';
  return (systemId ?? documentTypes).startsWith(documentTypes)
    ? null
    : 'a document type of its own';
};

const outsideIn = (text: string): string | null =>
  outsideAddress.test(text) ? 'an address outside' : null;

const isOfStyle = ({ parent }: XmlText): boolean =>
  parent instanceof XmlElement && withoutPrefix(parent.name) === 'style';

const withoutPrefix = (name: string): string => name.replace(/^svg:/, '');

const wrongInElement = ({ name, attributes }: XmlElement): string | null => {
  // What an editor keeps under a prefix of its own is refused too: a prefix may stand for anything.
  if (!elements.has(withoutPrefix(name))) return `<${name}>`;
  const wrong = Object.entries(attributes).find((each) => !isFit(...each));
  return wrong?.[0] ?? null;
};

const isFit = (attribute: string, value: string): boolean => {
  if (attribute === 'xmlns' || attribute === 'xmlns:svg') return value === svg;
  if (attribute.startsWith('xmlns:')) return true;
  if (/^on/i.test(attribute)) return false;
  if (/^(?:.*:)?(?:href|src)$/i.test(attribute)) return ownAddress.test(value);
  return !outsideAddress.test(value);
};
