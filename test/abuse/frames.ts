/** WebSocket frames as bytes, right and wrong: written as a client sends them, and read as a server does. */
import type { Chance } from './chance.ts';

export interface Frame {
  readonly payload: Buffer;
  readonly opcode?: number;
  readonly isLast?: boolean;
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** What the head says, where that is not the truth. */
  readonly length?: bigint;
}

const MASK = Buffer.from([1, 2, 3, 4]);

export function frame({ payload, opcode = 1, isLast = true, reserved = 0, isMasked = true, length = BigInt(payload.length) }: Frame): Buffer {
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  const flag = isMasked ? 0x80 : 0;
  const head = Buffer.alloc(length < 126n ? 2 : length < 65_536n ? 4 : 10);
  head[0] = first;
  if (head.length === 2) head[1] = flag | Number(length);
  else if (head.length === 4) {
    head[1] = flag | 126;
    head.writeUInt16BE(Number(length), 2);
  } else {
    head[1] = flag | 127;
    head.writeBigUInt64BE(length, 2);
  }
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, MASK, payload.map((byte, index) => byte ^ (MASK[index % 4] ?? 0))]);
}

const closing = (code: number, reason: string | Buffer): Buffer => {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frame({ opcode: 8, payload: Buffer.concat([head, Buffer.from(reason)]) });
};

/** A frame that breaks a rule of its own. */
export function badFrame(chance: Chance): Buffer {
  const payload = chance.pick([Buffer.from('{"type":"ping"}'), chance.noise(40), Buffer.alloc(0)]);
  return chance.pick<() => Buffer>([
    () => frame({ payload, reserved: 1 + chance.below(7) }),
    () => frame({ payload, opcode: 3 + chance.below(5) }),
    () => frame({ payload, opcode: 11 + chance.below(5) }),
    () => frame({ payload, isMasked: false }),
    () => frame({ payload, opcode: 0 }),
    () => frame({ payload, opcode: 2 }),
    () => frame({ payload: Buffer.alloc(126 + chance.below(400)), opcode: 8 + chance.below(3) }),
    () => frame({ payload, opcode: 8 + chance.below(3), isLast: false }),
    () => frame({ payload, length: chance.pick([0n, 200n, 131_073n, 2n ** 31n, 2n ** 53n, 2n ** 64n - 1n]) }),
    () => frame({ payload: Buffer.from([0xff, 0xfe, 0xc0, 0x80]) }),
    () =>
      closing(
        chance.pick([0, 999, 1_000, 1_004, 1_005, 1_006, 1_015, 2_999, 4_400, 5_000, 65_535]),
        chance.pick(['', 'x', Buffer.from([0xff]), 'r'.repeat(123)]),
      ),
    () => frame({ payload: Buffer.from([3]), opcode: 8 }),
    () => Buffer.concat(Array.from({ length: 1 + chance.below(60) }, () => frame({ payload: Buffer.alloc(0), opcode: 0, isLast: false }))),
    () => Buffer.concat([frame({ payload, isLast: false }), frame({ payload, opcode: chance.below(11), isLast: chance.percent(50) })]),
    () => Buffer.concat(Array.from({ length: chance.below(150) }, () => frame({ payload: Buffer.alloc(0), opcode: 9 + chance.below(2) }))),
    () => chance.noise(200),
  ])();
}

interface ReadFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** The frames of a server, as far as they are there. */
export function readFrames(bytes: Buffer): readonly ReadFrame[] {
  const frames: ReadFrame[] = [];
  for (let place = 0; place + 2 <= bytes.length; ) {
    const short = (bytes[place + 1] ?? 0) & 0x7f;
    const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (place + headBytes > bytes.length) break;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(place + 2) : Number(bytes.readBigUInt64BE(place + 2));
    frames.push({ opcode: (bytes[place] ?? 0) & 0x0f, payload: bytes.subarray(place + headBytes, place + headBytes + length) });
    place += headBytes + length;
  }
  return frames;
}
