/** Text as a PDF: lines of one font on as many A4 pages as they take. The same lines give the same bytes. */

const LINES_PER_PAGE = 52;

export function pdfOf(lines: readonly string[]): Uint8Array {
  const pages = pagesOf(lines);
  // 1 is the catalogue, 2 the list of pages, 3 the font; each page has an object and its content.
  const pageNumber = (index: number): number => 4 + index * 2;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => [pageObject(pageNumber(index) + 1), contentObject(page)]),
  ];
  return fileOf(objects);
}

function pagesOf(lines: readonly string[]): readonly (readonly string[])[] {
  const count = Math.max(1, Math.ceil(lines.length / LINES_PER_PAGE));
  return Array.from({ length: count }, (_, index) => lines.slice(index * LINES_PER_PAGE, (index + 1) * LINES_PER_PAGE));
}

function pageObject(contentNumber: number): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${contentNumber} 0 R >>`;
}

function contentObject(lines: readonly string[]): string {
  const stream = ['BT /F1 10 Tf 14 TL 50 780 Td', ...lines.map((line) => `(${escaped(line)}) Tj T*`), 'ET'].join('\n');
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
}

/** One byte for each character: what the font's encoding cannot say becomes a question mark. */
function escaped(text: string): string {
  const bytes = text.normalize('NFC').replaceAll('€', '\u0080');
  return bytes.replaceAll(/[^\x20-\x7e\x80\xa0-\xff]/gu, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
}

/** The objects, where each of them begins, and where that list begins. */
function fileOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n%âãÏÓ\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  return Buffer.from(`${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`, 'latin1');
}
