import { useState } from 'preact/hooks';
import { integerText } from '../text.ts';
import { bytesOf, hexLines, type Range, rangeInBytes, rangeOfField, textOf } from './bytes.ts';

/** A longer string would make the page slow, so only the part around the marked field is shown. */
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 256;
const BYTES_PER_LINE = 16;

function MarkedText({ text, marked }: { text: string; marked: Range | null }) {
  const from = marked === null ? 0 : Math.max(0, marked.from - MAX_CHARACTERS / 4);
  const to = Math.min(text.length, from + MAX_CHARACTERS);
  const [begin, end] = marked === null ? [to, to] : [Math.min(marked.from, to), Math.min(marked.to, to)];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section class="record" tabIndex={0} aria-label="The record as text">
        <pre>
          {from > 0 && '… '}
          {text.slice(from, begin)}
          {begin < end && <mark>{text.slice(begin, end)}</mark>}
          {text.slice(end, to)}
          {to < text.length && ' …'}
        </pre>
      </section>
      {(from > 0 || to < text.length) && (
        <p class="quiet">
          Characters {integerText(from + 1)} to {integerText(to)} of {integerText(text.length)}.
        </p>
      )}
    </>
  );
}

function Hex({ bytes, marked }: { bytes: Uint8Array; marked: Range | null }) {
  const before = marked === null ? 0 : Math.max(0, Math.floor(marked.from / BYTES_PER_LINE) - MAX_LINES / 4);
  const first = before * BYTES_PER_LINE;
  const lines = hexLines(bytes, marked, first, MAX_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section class="record hex" tabIndex={0} aria-label="The record as bytes">
        <pre>
          {lines.map((line) => (
            <div key={line.offset}>
              <span class="quiet">{line.offset}</span>{' '}
              <span class="hex-bytes">
                {line.bytes.map(({ hex, isMarked }, index) => (
                  <span key={index}>{isMarked ? <mark>{hex}</mark> : hex} </span>
                ))}
              </span>
              {line.text}
            </div>
          ))}
        </pre>
      </section>
      {lines.length * BYTES_PER_LINE < bytes.length && (
        <p class="quiet">
          Bytes {integerText(first + 1)} to {integerText(Math.min(bytes.length, first + lines.length * BYTES_PER_LINE))}{' '}
          of {integerText(bytes.length)}.
        </p>
      )}
    </>
  );
}

interface RecordBytesProperties {
  /** The first bytes of the record, whose full size is `rawBytes` bytes. */
  base64: string;
  rawBytes: number;
  field: string | null;
}

/** A record as text and as hexadecimal bytes, with the invalid field marked. */
export function RecordBytes({ base64, rawBytes, field }: RecordBytesProperties) {
  const [isHex, setHex] = useState(false);
  const bytes = bytesOf(base64);
  const text = textOf(bytes);
  const inText = field === null ? null : rangeOfField(text, field);
  const inBytes = inText && rangeInBytes(bytes, text, inText);
  return (
    <section>
      <div class="under">
        <h2>
          The record, {bytes.length < rawBytes && `the first ${integerText(bytes.length)} of `}
          {integerText(rawBytes)} bytes
        </h2>
        <div class="actions">
          <button type="button" aria-pressed={!isHex} onClick={() => setHex(false)}>
            Text
          </button>
          <button type="button" aria-pressed={isHex} onClick={() => setHex(true)}>
            Hexadecimal
          </button>
        </div>
      </div>
      {isHex ? <Hex bytes={bytes} marked={inBytes} /> : <MarkedText text={text} marked={inText} />}
    </section>
  );
}
