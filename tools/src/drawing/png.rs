//! A PNG of at most 256 colours, so that the pictures need no other program.

/// Bits of a deflate stream, lowest first.
struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        self.held |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// A symbol of the fixed code, whose bits come highest first.
    fn symbol(&mut self, symbol: u32) {
        let (code, length) = match symbol {
            0..144 => (0x30 + symbol, 8),
            144..256 => (0x190 + symbol - 144, 9),
            256..280 => (symbol - 256, 7),
            _ => (0xC0 + symbol - 280, 8),
        };
        self.put(code.reverse_bits() >> (32 - length), length);
    }

    /// A number as deflate writes lengths (four codes to a power of two) and distances (two): code, and the bits left.
    fn split(value: u32, first: u32) -> (u32, u32, u32) {
        if value < 2 * first {
            return (value, 0, 0);
        }
        let extra = value.ilog2() - first.ilog2();
        (extra * first + (value >> extra), value & ((1 << extra) - 1), extra)
    }

    fn copy(&mut self, length: u32, distance: u32) {
        let (code, rest, extra) = if length == 258 { (28, 0, 0) } else { Self::split(length - 3, 4) };
        self.symbol(257 + code);
        self.put(rest, extra);
        let (code, rest, extra) = Self::split(distance - 1, 2);
        self.put(code.reverse_bits() >> 27, 5);
        self.put(rest, extra);
    }
}

/// A zlib stream with one block of the fixed code; repetitions are looked for along the row and in the rows above.
fn deflated(data: &[u8], row: usize) -> Vec<u8> {
    let mut bits = Bits { bytes: vec![0x78, 0x01], held: 0, count: 0 };
    bits.put(0b011, 3);
    let mut at = 0;
    while at < data.len() {
        let mut best = (0, 0);
        let near = (1..=8).chain((1..=8).flat_map(|rows| (rows * row - 6).max(9)..=rows * row + 6));
        for distance in near.take_while(|&distance| distance <= at.min(32768)) {
            let same = |&k: &usize| data[at + k] == data[at + k - distance];
            let length = (0..258.min(data.len() - at)).take_while(same).count();
            if length > best.0 {
                best = (length, distance);
            }
        }
        if best.0 > 3 {
            bits.copy(best.0 as u32, best.1 as u32);
            at += best.0;
        } else {
            bits.symbol(data[at].into());
            at += 1;
        }
    }
    bits.symbol(256);
    bits.put(0, 7);
    let (mut low, mut high) = (1, 0);
    for &byte in data {
        low = (low + u32::from(byte)) % 65521;
        high = (high + low) % 65521;
    }
    bits.bytes.extend((high << 16 | low).to_be_bytes());
    bits.bytes
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    png.extend((data.len() as u32).to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(data);
    let mut sum = u32::MAX;
    for &byte in &png[start..] {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    png.extend((!sum).to_be_bytes());
}

/// `pixels` are numbers of colours, row by row.
pub fn png(width: usize, colours: &[[u8; 3]], pixels: &[u8]) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::from((width as u32).to_be_bytes());
    header.extend(((pixels.len() / width) as u32).to_be_bytes());
    header.extend([8, 3, 0, 0, 0]);
    chunk(&mut png, b"IHDR", &header);
    chunk(&mut png, b"PLTE", colours.as_flattened());
    let mut filtered = Vec::new();
    for row in pixels.chunks(width) {
        filtered.push(0);
        filtered.extend(row);
    }
    chunk(&mut png, b"IDAT", &deflated(&filtered, width + 1));
    chunk(&mut png, b"IEND", &[]);
    png
}
