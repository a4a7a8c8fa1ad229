/** Behind n proxies the caller is the n-th address from the right: all further left could be made up. */
export function readClientAddress(
  headers: Headers,
  socketAddress: string | undefined,
  trustProxy: number,
): string {
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  const behind = trustProxy > 0 ? forwarded.at(-trustProxy) : undefined
  return (behind || socketAddress || 'unknown').slice(0, 64)
}
