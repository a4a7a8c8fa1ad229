import { type SnippetGroup, terminal } from '../../ui/snippet-group.ts'

/** Must equal the snippets in docs/webhooks.md; a test compares them. */
export const receiverSnippets: SnippetGroup[] = [
  {
    title: 'TypeScript',
    blocks: [
      {
        where: 'receiver.ts',
        text: `import { verifyWebhook } from 'handrail-client'

export async function POST(request: Request) {
  const event = await verifyWebhook(request.headers, await request.text(), process.env.HANDRAIL_WEBHOOK_SECRET!)
  if (event.type === 'service/task_handled') await proceed(event.taskId, event.action)
  return new Response(null, { status: 204 })
}`,
      },
    ],
    hint: 'Install handrail-client from this service: npm install <public URL>/client.tgz.',
  },
  {
    title: 'Python',
    blocks: [
      {
        where: 'receiver.py',
        text: `import base64, hashlib, hmac, time

def verify(headers, body: bytes, secret: str) -> bool:
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers["webhook-signature"].split()
    return any(hmac.compare_digest(expected, signature.encode()) for signature in signatures)`,
      },
    ],
    hint: 'Uses only the standard library.',
  },
  {
    title: 'openssl',
    blocks: [
      {
        where: terminal,
        text: `key=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \\n')
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64`,
      },
    ],
    hint: 'Prints the part after "v1," in webhook-signature. body.json contains the raw request body.',
  },
]
