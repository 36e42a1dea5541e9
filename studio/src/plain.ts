// Files of the folder that are packed, which some hosts unpack by themselves.

/** Bytes at the end of a packed file that tell how long it is unpacked. */
const LENGTH = 4;

/**
 * The bytes of a file, unpacked if they are packed.  They go into one piece of memory that is as large as they
 * are: a `Blob` and a `Response` copy all of it twice more.
 */
export async function plain(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (data[0] !== 0x1f || data[1] !== 0x8b) return data;
  const unpacked = new Uint8Array(new DataView(data.buffer, data.byteOffset + data.length - LENGTH).getUint32(0, true));
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(all) {
      all.enqueue(data);
      all.close();
    },
  });
  const parts = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
  let at = 0;
  for (let part = await parts.read(); !part.done; part = await parts.read()) {
    unpacked.set(part.value, at);
    at += part.value.length;
  }
  return unpacked;
}
