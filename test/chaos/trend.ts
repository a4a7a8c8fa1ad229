/**
 * Growth by the line of least squares through the samples, from its beginning to its end, and how far samples stand from that
 * line (standard deviation).
 */
export function growthOf(samples: { at: number; value: number }[]): { growth: number; noise: number } {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const at = mean(samples.map((sample) => sample.at))
  const value = mean(samples.map((sample) => sample.value))
  const spread = mean(samples.map((sample) => (sample.at - at) ** 2))
  const slope = mean(samples.map((sample) => (sample.at - at) * (sample.value - value))) / spread
  const noise = Math.sqrt(
    mean(samples.map((sample) => (sample.value - value - slope * (sample.at - at)) ** 2)),
  )
  return { growth: slope * (samples.at(-1)!.at - samples[0]!.at), noise }
}

/**
 * The rule: a quantity grows when its line rises by more than three times the noise about it, and by more than what is worth
 * a look. Samples of the first third are left out: programs warm up.
 */
export function growsIn(samples: { at: number; value: number }[], worthALook: number): boolean {
  const { growth, noise } = growthOf(warm(samples))
  return growth > worthALook && growth > 3 * noise
}

export function warm<Sample>(samples: Sample[]): Sample[] {
  return samples.slice(Math.floor(samples.length / 3))
}
