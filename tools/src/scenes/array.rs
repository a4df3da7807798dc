//! Contacts as a caller's array takes them.

use feeler::internals::query::Contact;
use feeler::internals::query::contact_sink::ContactSink;

/// The first of `capacity` contacts, as a caller's array would take them.
pub struct Array {
    pub capacity: usize,
    packed: Vec<u64>,
    pub contacts: Vec<Option<Contact>>,
}

impl Array {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, packed: Vec::new(), contacts: Vec::new() }
    }

    pub fn ids(&self) -> Vec<(u32, u32)> {
        self.contacts.iter().map(|contact| contact.expect("written")).map(|c| (c.triangle_a, c.triangle_b)).collect()
    }
}

impl ContactSink for Array {
    fn capacity(&self) -> usize {
        self.capacity
    }
    fn set_packed(&mut self, index: usize, packed: u64) {
        assert!(index < self.capacity, "written beyond the array");
        self.packed.resize(self.packed.len().max(index + 1), 0);
        self.packed[index] = packed;
    }
    fn packed(&mut self, count: usize) -> &mut [u64] {
        &mut self.packed[..count]
    }
    fn write(&mut self, index: usize, contact: Contact) {
        assert!(index < self.capacity, "written beyond the array");
        self.contacts.resize(self.contacts.len().max(index + 1), None);
        self.contacts[index] = Some(contact);
    }
}
