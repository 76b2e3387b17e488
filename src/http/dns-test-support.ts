import { createSocket, type Socket } from 'node:dgram';

export interface Zone {
  readonly [name: string]: {
    readonly ttl: number;
    readonly a?: readonly string[];
    readonly aaaa?: readonly string[];
    readonly txt?: readonly string[];
  };
}

const A = 1;
const TXT = 16;
const sockets: Socket[] = [];

export function stopDns(): void {
  for (const socket of sockets.splice(0)) socket.close();
}

/** A DNS server for `zone`; other names get NXDOMAIN. `asked` lists the questions. */
export async function startDns(zone: Zone): Promise<{ server: string; asked: string[]; most: () => number }> {
  const asked: string[] = [];
  let open = 0;
  let most = 0;
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message);
    asked.push(`${name} ${type === A ? 'A' : 'AAAA'}`);
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      socket.send(reply(message, end, zone[name], type), from.port, from.address);
    }, 10);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, asked, most: () => most };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message[offset] ?? 0; length > 0; length = message[offset] ?? 0) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(offset + 1), end: offset + 5 };
}

function reply(question: Buffer, end: number, entry: Zone[string] | undefined, type: number): Buffer {
  const addresses = (type === A ? entry?.a : type === TXT ? entry?.txt : entry?.aaaa) ?? [];
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(entry === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = dataOf(type, address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(entry?.ttl ?? 0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question.subarray(12, end), ...records]);
}

function dataOf(type: number, value: string): Buffer {
  if (type === A) return Buffer.from(value.split('.').map(Number));
  if (type !== TXT) return v6Bytes(value);
  // Two strings, as long values have.
  const [head, tail] = [value.slice(0, 3), value.slice(3)];
  return Buffer.from(`\u0003${head}${String.fromCharCode(tail.length)}${tail}`, 'latin1');
}

/** Eight words written out in full. */
function v6Bytes(address: string): Buffer {
  return Buffer.from(
    address.split(':').flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]),
  );
}
