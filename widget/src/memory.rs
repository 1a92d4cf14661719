//! The allocator of the WASM module: blocks in powers of two, with a free list for each size. A visitor's conversation
//! needs at most a few hundred kilobytes, and the standard allocator would be a tenth of the whole download.
#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32;
use core::cell::UnsafeCell;
use core::ptr;

/// The smallest block, and the alignment of every block.
const MIN_BLOCK_BYTES: usize = 16;
/// One more than the largest exponent: blocks up to 1 GiB.
const CLASSES: usize = 31;
/// A page of WASM memory.
const PAGE_BYTES: usize = 65_536;

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(State { free: [ptr::null_mut(); CLASSES], next: 0, end: 0 }));

struct Heap(UnsafeCell<State>);

struct State {
    /// The first free block for each exponent; a free block begins with the address of the next one.
    free: [*mut u8; CLASSES],
    /// The unused memory begins here
    next: usize,
    /// The unused memory ends here.
    end: usize,
}

// SAFETY: the module is built without threads, so there is never a second caller.
unsafe impl Sync for Heap {}

/// The exponent of the block for a layout; `None` when it is too large.
fn class_of(layout: Layout) -> Option<usize> {
    let size = layout.size().max(MIN_BLOCK_BYTES).checked_next_power_of_two()?;
    let class = size.trailing_zeros() as usize;
    (layout.align() <= MIN_BLOCK_BYTES && class < CLASSES).then_some(class)
}

impl State {
    fn take(&mut self, class: usize) -> *mut u8 {
        let Some(free) = self.free.get_mut(class) else { return ptr::null_mut() };
        let block = *free;
        if block.is_null() {
            return self.carve(1 << class);
        }
        // SAFETY: the block was put into the list by `give`, which wrote the next address into it.
        *free = unsafe { block.cast::<*mut u8>().read() };
        block
    }

    fn give(&mut self, class: usize, block: *mut u8) {
        if let Some(free) = self.free.get_mut(class) {
            // SAFETY: a block is at least `MIN_BLOCK_BYTES` bytes, aligned to them, and nobody uses it any more.
            unsafe { block.cast::<*mut u8>().write(*free) };
            *free = block;
        }
    }

    /// Takes a block from the unused memory, and grows the memory when there is too little.
    fn carve(&mut self, size: usize) -> *mut u8 {
        if self.end - self.next < size {
            let pages = size.div_ceil(PAGE_BYTES);
            let old = wasm32::memory_grow::<0>(pages);
            if old == usize::MAX {
                return ptr::null_mut();
            }
            // Pages that do not follow the last ones (the page grew by other hands) start a new stretch.
            if old * PAGE_BYTES != self.end {
                self.next = old * PAGE_BYTES;
            }
            self.end = (old + pages) * PAGE_BYTES;
        }
        let block = self.next;
        self.next += size;
        block as *mut u8
    }
}

// SAFETY: blocks are distinct, at least as large as asked for, and aligned to `MIN_BLOCK_BYTES`, which bounds the alignment.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: one thread, and nothing below calls back into the heap.
        class_of(layout).map_or(ptr::null_mut(), |class| unsafe { &mut *self.0.get() }.take(class))
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(class) = class_of(layout) {
            // SAFETY: as in `alloc`.
            unsafe { &mut *self.0.get() }.give(class, block);
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let Ok(new_layout) = Layout::from_size_align(new_size, layout.align()) else { return ptr::null_mut() };
        if class_of(new_layout) == class_of(layout) {
            return block;
        }
        // SAFETY: the caller's promises for `block` and `layout` hold here, too; the blocks do not overlap.
        unsafe {
            let moved = self.alloc(new_layout);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}
