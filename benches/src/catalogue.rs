//! Generated catalogues of any size: Spanish titles, authors with several books, uneven genres, prolific years.
//!
//! The same size and seed give the same books, with the fields of stored books.

use std::sync::Arc;

use libros_server_query::Book;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

const NOUNS: &str = "Memoria Sombra Viaje Casa Noche Río Ciudad Jardín Sueño Mar Camino Espejo Árbol Niña Año Invierno Luz \
    Piedra Isla Canción Reino Olvido Ángel Fuego Laberinto Cigüeña Éxodo Umbral Oficio Llave";
const ADJECTIVES: &str = "perdida eterna secreta última azul breve ajena inmóvil antigua ñoña lejana dormida imposible cálida muda \
    salvaje íntima rota";
const GIVEN_NAMES: &str = "María José Ana Luis Carmen Ángel Elena Íñigo Sofía Raúl Julia Óscar Inés Tomás Lucía Andrés";
const FAMILY_NAMES: &str = "García Núñez Álvarez Ibáñez Zamora Ortega Peña Quiroga Muñoz Vega Lobo Sáez Ríos Castaño Etxeberria \
    Ferrer Güell Ybarra Cortázar Urrutia";
/// Genres with their weights: a few hold most of the books.
const GENRES: &[(&str, u32)] = &[
    ("novela", 40),
    ("ensayo", 18),
    ("poesía", 12),
    ("cuento", 10),
    ("historia", 8),
    ("teatro", 5),
    ("biografía", 4),
    ("ciencia", 2),
    ("crónica", 1),
];

/// Makes `count` books with ids from 1, one at a time.
pub fn generate(count: usize, seed: u64) -> impl Iterator<Item = Value> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    // Four books per author, so that an equality on an author keeps a few.
    let authors: Vec<String> = (0..count.div_ceil(4).max(1)).map(|_| author(&mut random)).collect();
    (1..=count).map(move |id| book(&mut random, &authors, id))
}

fn book(random: &mut Xoshiro256PlusPlus, authors: &[String], id: usize) -> Value {
    let year = 2025 - (random.random::<f64>().powi(3) * 400.0) as u32;
    let (month, day) = (random.random_range(1..=12), random.random_range(1..=28));
    let genre = GENRES.choose_weighted(random, |genre| genre.1).map_or("novela", |genre| genre.0);
    json!({
        "titulo": title(random),
        "autor": authors.choose(random),
        "fechaPublicacion": format!("{year:04}-{month:02}-{day:02}"),
        "genero": genre,
        "paginas": random.random_range(40..1200),
        "disponible": random.random_bool(0.8),
        "id": id,
        "fechaCreacion": format!("2025-{month:02}-{day:02}T10:20:30.{:03}Z", id % 1000),
        "creadoPor": "Admin Client",
    })
}

fn author(random: &mut Xoshiro256PlusPlus) -> String {
    let (given, first, second) =
        (one_of(random, GIVEN_NAMES), one_of(random, FAMILY_NAMES), one_of(random, FAMILY_NAMES));
    format!("{given} {first} {second}")
}

fn title(random: &mut Xoshiro256PlusPlus) -> String {
    let (noun, adjective, other) = (one_of(random, NOUNS), one_of(random, ADJECTIVES), one_of(random, NOUNS));
    match random.random_range(0..4) {
        0 => format!("{noun} {adjective}"),
        1 => format!("{noun} de {}", other.to_lowercase()),
        2 => format!(
            "La {adjective} {} de {} {}",
            noun.to_lowercase(),
            one_of(random, GIVEN_NAMES),
            one_of(random, FAMILY_NAMES)
        ),
        _ => format!("{noun} y {} ({})", other.to_lowercase(), random.random_range(1..60)),
    }
}

fn one_of<'a>(random: &mut Xoshiro256PlusPlus, words: &'a str) -> &'a str {
    let words: Vec<&str> = words.split(' ').collect();
    words.choose(random).copied().unwrap_or_default()
}

/// Ends the book's title with its id, so that each title is distinct; otherwise a large catalogue has few distinct titles.
pub fn distinct(mut book: Value) -> Value {
    book["titulo"] = format!("{} {}", book["titulo"].as_str().unwrap_or_default(), book["id"]).into();
    book
}

/// The books as they are stored, to be collected into a [`Collection`](libros_server_query::Collection).
pub fn stored(books: impl Iterator<Item = Value>) -> Vec<Arc<Book>> {
    books.filter_map(|book| Some(Arc::new(Book::new(book["id"].as_u64()?, book.as_object()?)))).collect()
}
