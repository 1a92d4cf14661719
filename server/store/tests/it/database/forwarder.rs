//! A TCP forwarder to PostgreSQL that a test can interrupt in the two ways in which networks fail: silently, and with a
//! refusal.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// The state of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// They are forwarded; those of an earlier generation carry nothing and stay open.
    Open { generation: u32 },
    /// Old ones are closed, new ones refused.
    Down,
}

/// A forwarder on its own port.
#[derive(Debug)]
pub struct Forwarder {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    accepted: Arc<AtomicUsize>,
}

impl Forwarder {
    /// Forwards to this port of this host.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mode = watch::Sender::new(Mode::Open { generation: 0 });
        let accepted = Arc::new(AtomicUsize::new(0));
        tokio::spawn(run(listener, port, mode.subscribe(), Arc::clone(&accepted)));
        Self { address, mode, accepted }
    }

    /// The port that is forwarded.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections were made so far.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    /// From now on the existing connections carry nothing, in neither direction; new ones work.
    pub fn silence(&self) {
        self.mode.send_modify(|mode| {
            if let Mode::Open { generation } = mode {
                *generation += 1;
            }
        });
    }

    /// Closes every connection and refuses new ones.
    pub fn down(&self) {
        self.mode.send_replace(Mode::Down);
    }

    /// Accepts connections again.
    pub fn up(&self) {
        self.mode.send_replace(Mode::Open { generation: 0 });
    }
}

async fn run(listener: TcpListener, port: u16, mut mode: watch::Receiver<Mode>, accepted: Arc<AtomicUsize>) {
    let address = listener.local_addr().unwrap();
    let mut listener = Some(listener);
    loop {
        let now = *mode.borrow_and_update();
        let open = match now {
            Mode::Down => {
                listener = None;
                None
            }
            Mode::Open { .. } => {
                if listener.is_none() {
                    listener = Some(TcpListener::bind(address).await.unwrap());
                }
                listener.as_ref()
            }
        };
        let next = async {
            match open {
                Some(listener) => listener.accept().await.unwrap().0,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            client = next => {
                accepted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(forward(client, port, mode.clone()));
            }
            changed = mode.changed() => if changed.is_err() { return },
        }
    }
}

async fn forward(mut client: TcpStream, port: u16, mut mode: watch::Receiver<Mode>) {
    let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    for socket in [&client, &server] {
        socket.set_nodelay(true).unwrap();
    }
    tokio::select! {
        // Nothing is carried any more, even if it arrives before this task runs again.
        biased;
        _ = mode.changed() => {}
        _ = copy_bidirectional(&mut client, &mut server) => return,
    }
    // Both sockets stay open until all are closed.
    let _ = mode.wait_for(|mode| *mode == Mode::Down).await;
}
