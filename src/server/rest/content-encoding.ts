import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'
export type Encoded = { body: Uint8Array; encoding?: Encoding }

export function chooseEncoding(acceptEncoding: string): Encoding | undefined {
  const accepted = acceptEncoding.split(',').flatMap((part) => {
    const [name, ...parameters] = part.split(';').map((word) => word.trim())
    // Quality 0: the client does not accept it.
    return parameters.some((parameter) => /^q=0(\.0*)?$/i.test(parameter)) ? [] : [name]
  })
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}

/** Compresses at high levels, because documents are compressed once and sent often. */
export async function encode(encoding: Encoding, file: Uint8Array): Promise<Encoded> {
  const body =
    encoding === 'br'
      ? await promisify(brotliCompress)(file, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : await promisify(gzip)(file, { level: 9 })
  return { body, encoding }
}
