import autocannon from 'autocannon'

export type Load = { url: string; headers: Record<string, string>; body: string; seconds: number }

const clients = 20

/** Requests a second of twenty clients, each sending its next one when the last is answered. Any error ends the run. */
export async function postsPerSecond({ url, headers, body, seconds }: Load): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    connections: clients,
    duration: seconds,
  })
  if (result.errors + result.timeouts + result.non2xx > 0) {
    throw new Error(
      `${url}: ${result.errors} errors, ${result.timeouts} time-outs, ${result.non2xx} not 2xx.`,
    )
  }
  return result['2xx'] / result.duration
}
