/** autocannon brings no types; this is the part we use. */
declare module 'autocannon' {
  export default function autocannon(options: {
    url: string
    method: string
    headers: Record<string, string>
    body: string
    connections: number
    /** Seconds. */
    duration: number
  }): Promise<{ errors: number; timeouts: number; non2xx: number; '2xx': number; duration: number }>
}
