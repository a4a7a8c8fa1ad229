/** An error before or beside the SDK, in the shape that MCP clients read. -32000 to -32019 are a server's own. */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  options: { id?: unknown; data?: unknown; headers?: Record<string, string> } = {},
): Response {
  const id = typeof options.id === 'string' || typeof options.id === 'number' ? options.id : null
  const error = { code, message, ...(options.data !== undefined && { data: options.data }) }
  return Response.json(
    { jsonrpc: '2.0', id, error },
    { status, headers: { 'cache-control': 'no-store', ...options.headers } },
  )
}

export const errorCodes = { parse: -32700, invalidParams: -32602, refused: -32000, sessionNotFound: -32001 }
