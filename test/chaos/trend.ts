/**
 * The growth from the start to the end of the regression line through the samples, and the standard
 * deviation of the samples from that line.
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
 * A quantity grows if its line rises by more than three times the noise and by more than a
 * threshold. The first third of the samples is ignored as warm-up.
 */
export function growsIn(samples: { at: number; value: number }[], worthALook: number): boolean {
  const { growth, noise } = growthOf(warm(samples))
  return growth > worthALook && growth > 3 * noise
}

export function warm<Sample>(samples: Sample[]): Sample[] {
  return samples.slice(Math.floor(samples.length / 3))
}
